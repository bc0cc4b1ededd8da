#version 150
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform vec4 p3d_ColorScale;
in vec4 p3d_Vertex, p3d_Color;
out vec4 colour;
void main() { gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex; colour = p3d_Color * p3d_ColorScale; }
