#version 150
uniform sampler2D source;
uniform vec2 direction;
uniform float threshold;
in vec2 uv;
out vec4 result;
vec3 bright(vec2 t) {
    vec4 lit = texture(source, t);
    vec3 c = min(lit.rgb, vec3(6.));
    // Alpha is zero on miniatures: bright paint is not a light.
    return threshold <= 0. ? c : c * step(.1, lit.a) * smoothstep(threshold, threshold * 1.8, max(c.r, max(c.g, c.b)));
}
void main() {
    vec3 sum = vec3(0);
    float weight = 0.;
    for (int i = -8; i <= 8; i++) { float k = exp(-float(i * i) / 26.); sum += bright(uv + direction * float(i)) * k; weight += k; }
    result = vec4(sum / weight, 1);
}
