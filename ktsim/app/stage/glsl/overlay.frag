#version 150
// Drawn over the finished picture; what stands behind the scene is ghosted instead of lost.
uniform sampler2D depth_texture;
uniform vec2 texel;
uniform float ghost, bias, strength, insists;
in vec4 colour;
out vec4 result;
void main() {
#ifdef COMPARES
    float scene = texture(depth_texture, gl_FragCoord.xy * texel).r;
    result = vec4(colour.rgb, colour.a * (gl_FragCoord.z > scene + bias ? max(ghost, insists) : 1.));
#else
    result = vec4(colour.rgb, colour.a * max(strength, insists));
#endif
}
